import { defineComponent, ref, shallowRef } from "vue";
import { jobs } from "../api/jobs.ts";
import { type Problem, toProblem } from "../api/problem.ts";
import { Notice } from "../components/Notice.tsx";
import { eventValue } from "../forms/event_value.ts";

/** Writes lines to the input of a job that takes some. */
export const JobInput = defineComponent(({ id }: { readonly id: string }) => {
  const text = ref("");
  const isEnded = ref(false);
  const problem = shallowRef<Problem>();

  async function send(content: string, end: boolean): Promise<void> {
    problem.value = undefined;
    try {
      await jobs.write(id, content, end);
      text.value = "";
      isEnded.value ||= end;
    } catch (error) {
      problem.value = await toProblem(error);
    }
  }

  function submit(event: Event): void {
    event.preventDefault();
    void send(`${text.value}\n`, false);
  }

  return () => (
    <form class="input" onSubmit={submit}>
      <label for="stdin">Input</label>
      <input
        id="stdin"
        value={text.value}
        disabled={isEnded.value}
        autocomplete="off"
        spellcheck={false}
        onInput={(event) => text.value = eventValue(event)}
      />
      <button type="submit" disabled={isEnded.value}>Send</button>
      <button type="button" class="quiet" disabled={isEnded.value} onClick={() => send("", true)}>
        {isEnded.value ? "Closed" : "Close the input"}
      </button>
      {problem.value !== undefined && (
        <Notice text={problem.value.message} code={problem.value.code} />
      )}
    </form>
  );
}, { props: ["id"], name: "JobInput" });
