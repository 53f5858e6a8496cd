import type { JsonValue } from "../../../domain/json.ts";

/**
 * Reads JSON without loss: a number that JavaScript would round, such as 9223372036854775807, comes
 * as the text that stood there. Text that is no JSON comes as it is.
 */
export function parseExactJson(text: string): JsonValue {
  try {
    return JSON.parse(text, keepNumber);
  } catch {
    return text;
  }
}

function keepNumber(_key: string, value: unknown, context?: { source?: string }): unknown {
  const source = context?.source;
  if (typeof value !== "number" || source === undefined) return value;
  return digitsOf(String(value)) === digitsOf(source) ? value : source;
}

/** A number's digits and exponent, in one form: `12.50e1` and `125` are the same. */
function digitsOf(number: string): string {
  const [, sign = "", whole = "", part = "", power = "0"] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(number) ?? [];
  if (whole === "") return number;
  const digits = `${whole}${part}`.replace(/^0+/, "");
  const short = digits.replace(/0+$/, "");
  if (short === "") return "0";
  return `${sign}${short}e${Number(power) - part.length + digits.length - short.length}`;
}
