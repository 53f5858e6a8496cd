import { defineComponent, ref, shallowRef, type VNode } from "vue";
import { Notice } from "../components/Notice.tsx";
import { type OutputHit, useOutputSearch } from "../composables/use_output_search.ts";
import { eventValue } from "../forms/event_value.ts";

/** Looks for a text in the whole output of a job, on the server, and shows what is around each hit. */
export const OutputSearchBar = defineComponent(({ id }: { readonly id: string }) => {
  const text = ref("");
  const search = useOutputSearch(id);
  const opened = shallowRef<{ readonly hit: OutputHit; readonly around: readonly string[] }>();

  function submit(event: Event): void {
    event.preventDefault();
    opened.value = undefined;
    void search.search(text.value);
  }

  async function open(hit: OutputHit): Promise<void> {
    if (opened.value?.hit === hit) return void (opened.value = undefined);
    opened.value = { hit, around: await search.around(hit) };
  }

  function drawHit(hit: OutputHit): VNode {
    const isOpen = opened.value?.hit === hit;
    return (
      <li key={`${hit.stream}${hit.offset}`}>
        <button
          type="button"
          class="quiet hit"
          aria-expanded={isOpen}
          onClick={() => void open(hit)}
        >
          <span class="size">{hit.stream} {hit.offset}</span> <code>{hit.line}</code>
        </button>
        {isOpen && (
          <pre
            tabindex={0}
            aria-label="Around the hit"
          >{parted(opened.value?.around ?? [], hit.line)}</pre>
        )}
      </li>
    );
  }

  return () => {
    const { hits, hasMore, isBusy, problem } = search;
    return (
      <section class="search" aria-label="Lines of the output">
        <form class="input" role="search" onSubmit={submit}>
          <label for="output-search">Search</label>
          <input
            id="output-search"
            type="search"
            value={text.value}
            autocomplete="off"
            spellcheck={false}
            onInput={(event) => text.value = eventValue(event)}
          />
          <button type="submit">Find</button>
          <span role="status">
            {isBusy.value ? "searching" : hits.value && countText(hits.value.length, hasMore.value)}
          </span>
        </form>
        {problem.value !== undefined && (
          <Notice text={problem.value.message} code={problem.value.code} />
        )}
        {hits.value !== undefined && hits.value.length > 0 && (
          <ul class="hits">{hits.value.map(drawHit)}</ul>
        )}
        {hits.value !== undefined && hasMore.value && !isBusy.value && (
          <button
            type="button"
            onClick={() => void search.more()}
          >
            Search further
          </button>
        )}
      </section>
    );
  };
}, { props: ["id"], name: "OutputSearchBar" });

function countText(count: number, hasMore: boolean): string {
  return `${count} ${count === 1 ? "line" : "lines"}${hasMore ? " so far" : ""}`;
}

/** The text around a hit, with its line marked. */
function parted([before = "", after = ""]: readonly string[], line: string): VNode {
  const shown = after.startsWith(line) ? line : "";
  return (
    <>
      {before}
      <mark>{shown}</mark>
      {after.slice(shown.length)}
    </>
  );
}
