/** As many fit on a line. */
const MAX_NAMES = 8;

/** Says how many records there are, by collection where these are few. */
export function countText(counts: Readonly<Record<string, number>>): string {
  const parts = Object.entries(counts).map(([name, count]) => `${count} ${name}`);
  if (parts.length === 0) return "no records";
  if (parts.length <= MAX_NAMES) return parts.join(", ");
  const total = Object.values(counts).reduce((sum, count) => sum + count);
  return `${total} records of ${parts.length} types`;
}
