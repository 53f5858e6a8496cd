import type { Job } from "@trestle/mcp-server";
import { defineComponent, onBeforeUnmount, onMounted, ref, shallowRef } from "vue";
import { jobs } from "../api/jobs.ts";
import { type Problem, toProblem } from "../api/problem.ts";
import { Notice } from "../components/Notice.tsx";
import type { JobOutput } from "../composables/use_job_output.ts";
import type { Screen } from "../terminal/screen.ts";

interface JobTerminalProps {
  readonly id: string;
  readonly size: NonNullable<Job["tty"]>;
  readonly output: JobOutput;
  /** Whether something reads what is typed. */
  readonly isLive: boolean;
}

/** Only jobs with a terminal need it, and it is as large as the rest of the page. */
const SCREEN_FILE = "/console/terminal.js";
/** How many characters may wait to be sent, such as those of a long paste. */
const MOST_WAITING = 256 * 1024;

/** The terminal of a job: what its program has drawn, and where it is typed to. */
export const JobTerminal = defineComponent((props: JobTerminalProps) => {
  const host = ref<HTMLElement | null>(null);
  const problem = shallowRef<Problem>();
  const input = new TypedInput(props.id, (fault) => problem.value = fault);
  let screen: Screen | undefined;
  let stop = () => {};
  let isOver = false;

  async function open(element: HTMLElement): Promise<void> {
    const loading: Promise<typeof import("../terminal/screen.ts")> = import(SCREEN_FILE);
    const { openScreen } = await loading;
    if (isOver) return;
    screen = openScreen(element, {
      ...props.size,
      ...(props.isLive ? { onInput: (text: string) => props.isLive && input.add(text) } : {}),
      isForPage: leave,
    });
    stop = props.output.read(screen);
    if (props.isLive) screen.focus();
  }

  /** A program may use every other key. */
  function leave(event: KeyboardEvent): boolean {
    if (event.key !== "F6") return false;
    if (event.type === "keydown") {
      event.preventDefault();
      document.querySelector<HTMLElement>("main .tabs button")?.focus();
    }
    return true;
  }

  onMounted(() => {
    if (host.value === null) return;
    void open(host.value).catch(async (error) => problem.value = await toProblem(error));
  });
  onBeforeUnmount(() => {
    isOver = true;
    stop();
    screen?.dispose();
  });

  return () => (
    <section class="output" aria-label="terminal">
      <header>
        <h2>terminal</h2>
        <span class="hint">{props.size.cols} × {props.size.rows}; F6 leaves it</span>
      </header>
      <div class="job-terminal" ref={host}></div>
      {problem.value !== undefined && (
        <Notice text={problem.value.message} code={problem.value.code} />
      )}
    </section>
  );
}, { props: ["id", "size", "output", "isLive"], name: "JobTerminal" });

/** What is typed, sent in order: one request at a time, with all that has been typed meanwhile. */
class TypedInput {
  readonly #id: string;
  readonly #report: (problem: Problem | undefined) => void;
  #waiting = "";
  #isSending = false;

  constructor(id: string, report: (problem: Problem | undefined) => void) {
    this.#id = id;
    this.#report = report;
  }

  add(text: string): void {
    this.#waiting = (this.#waiting + text).slice(0, MOST_WAITING);
    if (!this.#isSending) void this.#send();
  }

  async #send(): Promise<void> {
    this.#isSending = true;
    while (this.#waiting !== "") {
      const text = this.#waiting;
      this.#waiting = "";
      try {
        await jobs.write(this.#id, text, false);
        this.#report(undefined);
      } catch (error) {
        this.#waiting = "";
        this.#report(await toProblem(error));
      }
    }
    this.#isSending = false;
  }
}
