/** What a tool reports about its progress, as one text: `40 % · loading`. */
export function progressText({ progress, total, message }: Record<string, unknown>): string {
  const part = typeof progress !== "number"
    ? ""
    : typeof total === "number" && total > 0
    ? `${Math.round(100 * progress / total)} %`
    : String(progress);
  return [part, typeof message === "string" ? message : ""].filter((text) => text !== "").join(
    " · ",
  );
}
