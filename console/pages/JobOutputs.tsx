import type { OutputStream } from "@trestle/mcp-server";
import { defineComponent, ref } from "vue";
import { OutputView } from "../components/OutputView.tsx";
import { bytesText } from "../components/times.ts";
import type { ShownOutput } from "../composables/use_job_output.ts";

interface JobOutputsProps {
  readonly output: Readonly<Record<OutputName, ShownOutput>>;
  /** Saves all that is kept of it. */
  readonly download: (name: OutputName) => Promise<void>;
  /** Shows all that is kept of it as plain text, in a tab of its own. */
  readonly openRaw: (name: OutputName) => Promise<void>;
}

/** Both streams, or one of them. */
export type OutputName = "output" | OutputStream;

const NAMES: readonly OutputName[] = ["output", "stdout", "stderr"];

/** The streams of a job, as they were written, and one at a time. */
export const JobOutputs = defineComponent((props: JobOutputsProps) => {
  const shown = ref<OutputName>("output");

  return () => {
    const { terminal, hasEarlier, loadEarlier } = props.output[shown.value];
    return (
      <>
        <div class="tabs" role="group" aria-label="Output">
          {NAMES.map((stream) => (
            <button
              type="button"
              key={stream}
              aria-pressed={stream === shown.value}
              onClick={() => shown.value = stream}
            >
              {stream} <span class="size">{bytesText(props.output[stream].size.value)}</span>
            </button>
          ))}
        </div>
        <OutputView
          key={shown.value}
          label={shown.value}
          terminal={terminal}
          hasEarlier={hasEarlier.value}
          loadEarlier={loadEarlier}
          download={() => props.download(shown.value)}
          openRaw={() => props.openRaw(shown.value)}
        />
      </>
    );
  };
}, { props: ["output", "download", "openRaw"], name: "JobOutputs" });
