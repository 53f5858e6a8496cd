import { computed, defineComponent, ref, type VNode } from "vue";
import type { RecordEdit } from "../mock/mock_host.ts";
import { cellText, columnsOf, parseCell } from "../mock/records.ts";
import type { Playground } from "../use_playground.ts";

/** More rows are not drawn: a page of inputs is slow. */
const MAX_ROWS = 100;

/** The records of one table, each cell of which can be edited. */
export const RecordsPane = defineComponent((props: { readonly state: Playground }) => {
  const { state } = props;
  const chosen = ref("");
  const refusal = ref<string>();
  const names = computed(() => Object.keys(state.tables.value));
  const table = computed(() => names.value.includes(chosen.value) ? chosen.value : names.value[0]);
  const records = computed(() => state.tables.value[table.value ?? ""] ?? []);
  const columns = computed(() => columnsOf(records.value));

  async function change(id: string, column: string, event: Event): Promise<void> {
    if (!(event.target instanceof HTMLInputElement) || table.value === undefined) return;
    const values = records.value.map((record) => record[column]);
    const value = parseCell(event.target.value, values);
    await edit({ kind: "change", table: table.value, id, values: { [column]: value } });
  }
  async function edit(change: RecordEdit): Promise<void> {
    refusal.value = await state.edit(change);
  }

  return (): VNode => (
    <div class="records">
      <div class="bar">
        <select
          aria-label="Table"
          value={table.value}
          onChange={(event: Event) => {
            if (event.target instanceof HTMLSelectElement) chosen.value = event.target.value;
          }}
        >
          {names.value.map((name) => (
            <option key={name} value={name}>
              {name} ({state.tables.value[name]?.length})
            </option>
          ))}
        </select>
        <button
          type="button"
          disabled={table.value === undefined}
          onClick={() => edit({ kind: "add", table: table.value ?? "" })}
        >
          Add record
        </button>
        <button type="button" class="quiet" onClick={state.resetRecords}>Reset all</button>
      </div>
      {refusal.value === undefined ? null : <p class="refusal" role="alert">{refusal.value}</p>}
      <div class="scroll" tabindex={0} role="region" aria-label={`Records of ${table.value}`}>
        <table>
          <thead>
            <tr>
              {columns.value.map((name) => <th scope="col" key={name}>{name}</th>)}
              <th scope="col">
                <span class="visually-hidden">Remove</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {records.value.slice(0, MAX_ROWS).map((record) => {
              const id = String(record.id);
              return (
                <tr key={`${table.value} ${id}`}>
                  {columns.value.map((name) =>
                    name === "id" ? <th scope="row" key={name}>{id}</th> : (
                      <td key={name}>
                        <input
                          aria-label={`${name} of ${id}`}
                          value={cellText(record[name])}
                          placeholder="null"
                          spellcheck={false}
                          onChange={(event: Event) => change(id, name, event)}
                        />
                      </td>
                    )
                  )}
                  <td>
                    <button
                      type="button"
                      class="quiet"
                      aria-label={`Remove ${table.value} ${id}`}
                      onClick={() => edit({ kind: "remove", table: table.value ?? "", id })}
                    >
                      ×
                    </button>
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
        {records.value.length > MAX_ROWS
          ? <p>The first {MAX_ROWS} of {records.value.length} records</p>
          : null}
      </div>
    </div>
  );
}, { props: ["state"], name: "RecordsPane" });
