import type { JsonObject, JsonValue, ShownQuestion } from "@trestle/mcp-server";
import { defineComponent, ref, shallowRef } from "vue";
import { jobs, type Reply } from "../api/jobs.ts";
import { type Problem, toProblem } from "../api/problem.ts";
import { Notice } from "../components/Notice.tsx";
import { timeText } from "../components/times.ts";
import { SchemaField } from "../forms/SchemaField.tsx";
import { isObject } from "../schema/field.ts";
import { initialArguments } from "../schema/initial_value.ts";

interface JobQuestionProps {
  /** Id of the job. */
  readonly id: string;
  /** The key of the question, unique in the job. */
  readonly name: string;
  readonly question: ShownQuestion;
  /** Called once it is answered. */
  readonly answered: () => Promise<void>;
}

/** What a job asks, with a form for the answer. */
export const JobQuestion = defineComponent((props: JobQuestionProps) => {
  const answer = shallowRef<JsonObject>(initialArguments(props.question.schema));
  const form = ref<HTMLFormElement | null>(null);
  const isSending = ref(false);
  const problem = shallowRef<Problem>();

  async function send(reply: Reply): Promise<void> {
    isSending.value = true;
    problem.value = undefined;
    try {
      await jobs.answer(props.id, { [props.name]: reply });
      await props.answered();
    } catch (error) {
      problem.value = await toProblem(error);
    }
    isSending.value = false;
  }

  function submit(event: Event): void {
    event.preventDefault();
    void send({ action: "accept", content: answer.value });
  }

  /** In a text of several lines, Enter is a line. */
  function onKey(event: KeyboardEvent): void {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    form.value?.requestSubmit();
  }

  return () => {
    const { message, schema, askedAt } = props.question;
    return (
      <section class="result question-form" aria-label="Question">
        <header>
          <strong>Question</strong>
          <span class="inline">asked {timeText(askedAt)}</span>
        </header>
        <form ref={form} onSubmit={submit} onKeydown={onKey}>
          <p class="asked">{message}</p>
          <SchemaField
            label="Answer"
            schema={schema}
            root={schema}
            value={answer.value}
            required
            path={["answer", props.name]}
            issues={[]}
            update={(value: JsonValue | undefined) => {
              if (isObject(value)) answer.value = value;
            }}
          />
          {problem.value !== undefined && (
            <Notice text={problem.value.message} code={problem.value.code} />
          )}
          <div class="actions">
            <button type="submit" class="primary" disabled={isSending.value}>Answer</button>
            <button
              type="button"
              disabled={isSending.value}
              onClick={() => void send({ action: "decline" })}
            >
              Decline
            </button>
          </div>
        </form>
      </section>
    );
  };
}, { props: ["id", "name", "question", "answered"], name: "JobQuestion" });
