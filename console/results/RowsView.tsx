import { computed, defineComponent, ref, shallowRef, type VNode } from "vue";
import { CopyButton } from "../components/CopyButton.tsx";
import { Icon } from "../components/Icon.tsx";
import { saveFile } from "../components/save_text.ts";
import type { Table } from "./result_parts.ts";
import { cellText, type Order, sortRows, toCsv, toTabs } from "./table_text.ts";

interface RowsProps {
  readonly title: string;
  readonly table: Table;
}

/** How many rows are drawn at first, and with each further click. */
const ROWS_AT_ONCE = 200;

/** Rows as a table that is sorted by its heads, copied and saved. */
export const RowsView = defineComponent((props: RowsProps) => {
  const order = shallowRef<Order>();
  const most = ref(ROWS_AT_ONCE);
  const sorted = computed(() => ({
    columns: props.table.columns,
    rows: sortRows(props.table, order.value),
  }));

  /** Upwards, downwards, and then as they came. */
  function sortBy(column: number): void {
    const last = order.value?.column === column ? order.value : undefined;
    order.value = last === undefined
      ? { column, descending: false }
      : last.descending
      ? undefined
      : { column, descending: true };
  }

  function drawHead(name: string, column: number): VNode {
    const { descending } = order.value?.column === column ? order.value : {};
    const state = descending === undefined ? "none" : descending ? "descending" : "ascending";
    return (
      <th scope="col" key={column} aria-sort={state}>
        <button type="button" onClick={() => sortBy(column)}>
          {name}
          {descending === undefined ? "" : <Icon name={descending ? "down" : "up"} />}
        </button>
      </th>
    );
  }

  return () => {
    const { rows } = sorted.value;
    return (
      <>
        <div class="rows-bar">
          <h3>{props.title}</h3>
          <span class="size">{rows.length === 1 ? "1 row" : `${rows.length} rows`}</span>
          <CopyButton label="Copy rows" text={() => toTabs(sorted.value)} />
          <button
            type="button"
            class="quiet"
            onClick={() =>
              saveFile("rows.csv", new Blob([toCsv(sorted.value)], { type: "text/csv" }))}
          >
            <Icon name="download" /> CSV
          </button>
        </div>
        <div class="rows" tabindex={0} role="group" aria-label={`Rows of ${props.title}`}>
          <table>
            <thead>
              <tr>{props.table.columns.map(drawHead)}</tr>
            </thead>
            <tbody>
              {rows.slice(0, most.value).map((row, index) => (
                <tr key={index}>
                  {row.map((value, column) => (
                    <td
                      key={column}
                      class={{ number: typeof value === "number", none: value === null }}
                    >
                      {cellText(value)}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
        {rows.length > most.value && (
          <button
            type="button"
            class="quiet"
            onClick={() => most.value += ROWS_AT_ONCE}
          >
            More rows
          </button>
        )}
      </>
    );
  };
}, { props: ["title", "table"], name: "RowsView" });
