import type { VNode, VNodeChild } from "vue";

interface CardTableProps {
  /** The names of the columns. */
  readonly columns: readonly string[];
  /** The rows. */
  readonly children?: VNodeChild;
}

/** A table whose rows are cards on a phone. */
export function CardTable(
  { columns }: CardTableProps,
  { slots }: { readonly slots: { readonly default?: () => VNode[] } },
): VNode {
  return (
    <table class="cards">
      <thead>
        <tr>{columns.map((name) => <th scope="col" key={name}>{name}</th>)}</tr>
      </thead>
      <tbody>{slots.default?.()}</tbody>
    </table>
  );
}
