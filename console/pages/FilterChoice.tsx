import type { VNode } from "vue";
import { eventValue } from "../forms/event_value.ts";

interface ChoiceProps {
  readonly id: string;
  readonly label: string;
  readonly values: readonly string[];
  /** The chosen value; empty for any. */
  readonly chosen: string;
  readonly choose: (value: string) => void;
}

/** Chooses what a list is limited to. */
export function FilterChoice({ id, label, values, chosen, choose }: ChoiceProps): VNode {
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select id={id} onChange={(event) => choose(eventValue(event))}>
        <option value="">any</option>
        {values.map((value) => <option key={value} selected={value === chosen}>{value}</option>)}
      </select>
    </div>
  );
}
