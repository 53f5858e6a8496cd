/**
 * Names the anchor of a heading as GitHub does: lower case, without punctuation, a hyphen for each
 * space. A heading whose name is taken has `-1`, `-2` and so on at its end, which is for the caller.
 *
 * @example
 * ```ts ignore
 * headingSlug("useApi(fn, now = true)"); // "useapifn-now--true"
 * ```
 */
export function headingSlug(text: string): string {
  return text.trim().toLowerCase().replaceAll(/[^\p{L}\p{M}\p{N}\s_-]/gu, "")
    .replaceAll(/\s/g, "-");
}
