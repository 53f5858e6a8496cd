import type { SecretMask } from "../access/secret_mask.ts";
import type { OutputEvent } from "../tool/command.ts";
import type { Refusal, ToolResult } from "../tool/result.ts";
import type { CallOptions } from "../tool/service.ts";

/** The options of a call that shows nothing of secrets while it runs. */
export function maskOptions(options: CallOptions, mask: SecretMask): CallOptions {
  const { onProgress, onOutput, ask, onNotification } = options;
  return {
    ...options,
    ...(onProgress && { onProgress: (update) => onProgress(mask.json(update)) }),
    ...(onOutput && { onOutput: (event) => onOutput(maskEvent(event, mask)) }),
    ...(ask && { ask: (question) => ask(mask.json(question)) }),
    ...(onNotification && {
      onNotification: (notification) => onNotification(mask.json(notification)),
    }),
  };
}

/** What commands write is masked by their runner already, also where a value is cut in two. */
function maskEvent(event: OutputEvent, mask: SecretMask): OutputEvent {
  if (event.bytes === undefined) return { ...event, text: mask.text(event.text) };
  const bytes = mask.bytes(event.bytes);
  return bytes === event.bytes ? event : { ...event, text: mask.text(event.text), bytes };
}

/** A refusal without values of secrets. */
export function maskRefusal(refusal: Refusal, mask: SecretMask | undefined): Refusal {
  return mask === undefined ? refusal : mask.json(refusal);
}

/** The result of a tool without values of secrets. */
export function maskResult(result: ToolResult, mask: SecretMask): ToolResult {
  const shown = mask.json(result);
  const { structuredContent: data } = result;
  if (shown.structuredContent === data || result.content === undefined) return shown;
  // A value that JSON escapes is escaped once more in the text of the same data.
  const whole = JSON.stringify(data);
  const content = result.content.map((block, at) =>
    block.type === "text" && block.text === whole
      ? { ...block, text: JSON.stringify(shown.structuredContent) }
      : shown.content[at] ?? block
  );
  return { ...shown, content };
}
