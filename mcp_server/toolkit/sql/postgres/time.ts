const MOMENT =
  /^(\d+)-(\d\d)-(\d\d)(?: (\d\d:\d\d:\d\d(?:\.\d+)?)(?:([+-]\d\d)(?::?(\d\d))?(:\d\d)?)?)?( BC)?$/;

/**
 * Writes a date or a timestamp of PostgreSQL (style ISO) as ISO 8601, with every digit that it has
 * and without a shift: UTC is `Z`, years before 1 and after 9999 have six digits and a sign.
 * Whatever has another form, such as `infinity`, stays as it is.
 */
export function toIsoTime(text: string): string {
  const [, year, month, day, time, hours, minutes = "00", seconds = "", era] = MOMENT.exec(text) ??
    [];
  if (year === undefined) return text;
  const date = `${toIsoYear(Number(year), era !== undefined)}-${month}-${day}`;
  if (time === undefined) return date;
  if (hours === undefined) return `${date}T${time}`;
  const zone = `${hours}:${minutes}${seconds}`;
  return `${date}T${time}${zone === "+00:00" ? "Z" : zone}`;
}

/** ISO 8601 has a year 0: it is the one that PostgreSQL calls 1 BC. */
function toIsoYear(year: number, beforeChrist: boolean): string {
  const counted = beforeChrist ? 1 - year : year;
  if (counted >= 0 && counted <= 9_999) return String(counted).padStart(4, "0");
  return (counted < 0 ? "-" : "+") + String(Math.abs(counted)).padStart(6, "0");
}
