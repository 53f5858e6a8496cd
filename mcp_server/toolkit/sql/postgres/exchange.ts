import type { Exchange, WireConnection, WireField, WireNotice } from "./client.ts";
import type { MessageReader } from "./messages.ts";
import { jsonTextLength } from "../../../shared/json.ts";
import { bytesOfNames, RowBudget } from "../rows.ts";
import { cutText, type QueryBounds, type QueryNotice } from "../sql_session.ts";

/**
 * Rows fetched at once, and thus the most that are read beyond the budget: those of a query without
 * a limit of its own, and one more, by which a cut is noticed.
 */
const ROWS_AT_ONCE = 1_001;
/** What is read of a statement's notices, of which a block can raise a million. */
const NOTICES = 20;
/** The longest text of a notice. */
const NOTICE_LENGTH = 1_024;

/** A row as it was received. */
export type WireRow = readonly (string | null)[];

/**
 * The outcome of an exchange, which `pg` reports in parts; the session waits for "ready for query".
 */
abstract class BaseExchange implements Exchange, MessageReader {
  /** The first error, which names the cause. */
  error: unknown;
  /** What the statement did, such as `INSERT 0 3`. */
  tag = "";

  abstract readonly full: boolean;

  abstract submit(connection: WireConnection): null;
  /** The statement has ended, successfully or not; an error may still follow. */
  protected abstract end(connection: WireConnection): void;

  handleRowDescription(_message: { fields: readonly WireField[] }): void {}
  handleDataRow(_message: { fields: WireRow }): void {}
  handlePortalSuspended(_connection: WireConnection): void {}
  handleReadyForQuery(): void {}

  /** Takes a notice that was read. */
  handleNotice(_notice: WireNotice): void {}

  wantsRow(_bytes: number): boolean {
    return false;
  }

  wantsNotice(): boolean {
    return false;
  }

  onCopyData(): void {}

  handleCommandComplete({ text }: { text: string }, connection: WireConnection): void {
    this.tag = text;
    this.end(connection);
  }

  handleEmptyQuery(connection: WireConnection): void {
    this.end(connection);
  }

  handleError(error: unknown, connection: WireConnection): void {
    this.error ??= error;
    this.end(connection);
  }

  handleCopyInResponse(connection: WireConnection): void {
    connection.sendCopyFail("there is no data to copy; use INSERT");
  }
}

/** The session's own statements, whose rows are ignored; one text may contain several. */
export class SimpleQuery extends BaseExchange {
  readonly full = true;
  readonly #text: string;

  constructor(text: string) {
    super();
    this.#text = text;
  }

  submit(connection: WireConnection): null {
    connection.query(this.#text);
    return null;
  }

  protected end(): void {}
}

/**
 * One statement of a caller over the extended protocol (manual, 55.2.3). If its rows come at once,
 * everything goes out together, and the answer takes one round trip; otherwise they are read in
 * pieces.
 */
export class ExtendedQuery extends BaseExchange {
  fields: readonly WireField[] = [];
  /** `COPY ... TO STDOUT` has sent data, which was dropped. */
  copied = false;
  readonly budget: RowBudget<WireRow>;
  readonly notices: QueryNotice[] = [];
  readonly #text: string;
  readonly #values: (string | null)[];
  #bytesOfNames = 0;
  #noticesSeen = 0;
  #synced = false;

  constructor(
    text: string,
    values: (string | null)[],
    bounds: Pick<QueryBounds, "maxRows" | "maxBytes">,
  ) {
    super();
    this.#text = text;
    this.#values = values;
    this.budget = new RowBudget(bounds);
  }

  get full(): boolean {
    return this.budget.full;
  }

  override wantsRow(bytes: number): boolean {
    return this.budget.mayTake(bytes);
  }

  override wantsNotice(): boolean {
    return this.#noticesSeen++ < NOTICES;
  }

  override handleNotice(notice: WireNotice): void {
    this.notices.push(toNotice(notice));
  }

  override onCopyData(): void {
    this.copied = true;
  }

  submit(connection: WireConnection): null {
    connection.stream.cork();
    connection.parse({ text: this.#text, name: "" });
    connection.bind({ portal: "", statement: "", values: this.#values });
    connection.describe({ type: "P", name: "" });
    this.#fetch(connection);
    if (this.budget.left < ROWS_AT_ONCE) this.end(connection);
    else connection.flush();
    connection.stream.uncork();
    return null;
  }

  override handleRowDescription({ fields }: { fields: readonly WireField[] }): void {
    this.fields = fields;
    this.#bytesOfNames = bytesOfNames(fields.map(({ name }) => name));
  }

  override handleDataRow({ fields }: { fields: WireRow }): void {
    const size = fields.reduce(
      (sum, field) => sum + (field === null ? 4 : jsonTextLength(field)),
      this.#bytesOfNames,
    );
    this.budget.take(fields, size);
  }

  override handlePortalSuspended(connection: WireConnection): void {
    if (this.budget.full || this.#synced) return this.end(connection);
    this.#fetch(connection);
    connection.flush();
  }

  /** While the server expects data, it ignores the Sync that came with the statement. */
  override handleCopyInResponse(connection: WireConnection): void {
    super.handleCopyInResponse(connection);
    if (this.#synced) connection.sync();
  }

  /** Each Sync is answered, so a second one would end the next statement too early. */
  protected end(connection: WireConnection): void {
    if (!this.#synced) connection.sync();
    this.#synced = true;
  }

  /** One row more than fits, so that a cut is noticed. */
  #fetch(connection: WireConnection): void {
    const rows = Math.min(this.budget.left + 1, ROWS_AT_ONCE);
    connection.execute({ portal: "", rows });
  }
}

/** The number at the end of a command tag, such as `UPDATE 3`; 0 if there is none. */
export function countOfTag(tag: string): number {
  return Number(/ (\d+)$/.exec(tag)?.[1] ?? 0);
}

/** Keeps the first characters of a notice's texts. */
function toNotice(
  { severity = "NOTICE", code = "00000", message = "", detail = "", hint = "" }: WireNotice,
): QueryNotice {
  let left = NOTICE_LENGTH;
  const [kept = "", ...more] = [message, detail, hint].map((text) => {
    const part = left > 0 ? cutText(text, left) : "";
    left -= part.length;
    return part;
  });
  const [keptDetail, keptHint] = more;
  return {
    severity,
    code,
    message: kept,
    ...(keptDetail ? { detail: keptDetail } : {}),
    ...(keptHint ? { hint: keptHint } : {}),
  };
}
