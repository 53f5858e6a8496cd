import type { OutputStream } from "@trestle/mcp-server";
import { defineComponent, ref } from "vue";
import { OutputView } from "../components/OutputView.tsx";
import { bytesText } from "../components/times.ts";
import type { JobOutput } from "../composables/use_job_output.ts";

interface JobOutputsProps {
  readonly output: Readonly<Record<OutputStream, JobOutput>>;
  /** Saves all that is kept of a stream. */
  readonly download: (stream: OutputStream) => Promise<void>;
}

const STREAMS: readonly OutputStream[] = ["stdout", "stderr"];

/** The streams of a job, one at a time. */
export const JobOutputs = defineComponent((props: JobOutputsProps) => {
  const shown = ref<OutputStream>("stdout");

  return () => {
    const { terminal, hasEarlier, loadEarlier } = props.output[shown.value];
    return (
      <>
        <div class="tabs" role="group" aria-label="Output">
          {STREAMS.map((stream) => (
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
        />
      </>
    );
  };
}, { props: ["output", "download"], name: "JobOutputs" });
