import { strToU8, zip } from "fflate";
import { defineComponent, ref, type VNode } from "vue";
import { encodeFragment, MAX_LINK_BYTES } from "../link/link_codec.ts";
import { parseSharedState } from "../link/shared_state.ts";
import type { Framework } from "../project/framework_files.ts";
import { projectFiles } from "../project/project_files.ts";
import { NOTICE_URL } from "../samples/samples.ts";
import type { Playground } from "../use_playground.ts";

/** A larger file is not of this page. */
const MAX_FILE_BYTES = 8 * 1024 * 1024;

/** What leaves the page: a link, a file or a project; and files that are opened. */
export const SharePane = defineComponent((props: { readonly state: Playground }) => {
  const { state } = props;
  const message = ref("");
  const link = ref("");

  async function copyLink(): Promise<void> {
    const fragment = await encodeFragment(state.share());
    const { length } = fragment;
    if (length > MAX_LINK_BYTES) {
      const size = Math.ceil(length / 1024);
      message.value =
        `The link would have ${size} KiB, and 64 KiB is the most. Save a file instead.`;
      link.value = "";
      return;
    }
    const url = new URL(location.href);
    url.hash = fragment;
    history.replaceState(null, "", url);
    link.value = url.href;
    try {
      await navigator.clipboard.writeText(url.href);
      message.value =
        "The link is copied. It carries schema, edited records, operation, resolvers.";
    } catch {
      message.value = "The link is in the address bar, and here:";
    }
  }
  function saveFile(): void {
    const text = `${JSON.stringify(state.share(), undefined, 2)}\n`;
    save("playground.json", new Blob([text], { type: "application/json" }));
    message.value = "playground.json is saved. Open file reads it again.";
  }
  async function openFile(event: Event): Promise<void> {
    const file = event.target instanceof HTMLInputElement ? event.target.files?.[0] : undefined;
    if (file === undefined) return;
    if (file.size > MAX_FILE_BYTES) {
      message.value = `Cannot open "${file.name}": it has more than 8 MB`;
      return;
    }
    const text = await file.text();
    try {
      await state.open(toState(text));
      message.value = `${file.name} is open.`;
    } catch (error) {
      message.value = error instanceof Error ? error.message : String(error);
    }
  }
  function copyProject(framework: Framework): void {
    const { schema, operation, resolvers } = state.share();
    const files = projectFiles({
      ...{ framework, schema, operation, resolvers },
      tables: state.tables.value,
    });
    const entries = Object.entries(files).map((
      [path, text],
    ) => [`mock-app/${path}`, strToU8(text)]);
    zip(Object.fromEntries(entries), (error, bytes) => {
      if (error !== null) return void (message.value = `Cannot save the project: ${error.message}`);
      save(
        `mock-app-${framework}.zip`,
        new Blob([new Uint8Array(bytes)], { type: "application/zip" }),
      );
      message.value = "Unzip it, then: npm install && npm run dev";
    });
  }

  return (): VNode => (
    <div class="share">
      <div class="bar">
        <button type="button" class="primary" onClick={copyLink}>Copy link</button>
        <button type="button" onClick={saveFile}>Save file</button>
        <label class="button">
          Open file
          <input type="file" accept=".json,.graphql,.graphqls,.gql,.txt" onChange={openFile} />
        </label>
      </div>
      <div class="bar">
        <span>Copy as project, on Vite:</span>
        <button type="button" onClick={() => copyProject("vue")}>Vue</button>
        <button type="button" onClick={() => copyProject("react")}>React</button>
      </div>
      <p role="status">{message.value}</p>
      {link.value === "" ? null : <input readonly aria-label="Link" value={link.value} />}
      <p class="hint">
        Nothing leaves this page by itself. A link has everything after its{" "}
        <code>#</code>, which browsers do not send to the server.{" "}
        <a href={NOTICE_URL.href} target="_blank">Where the example schemas are from</a>
      </p>
    </div>
  );
}, { props: ["state"], name: "SharePane" });

/** A file that this page has saved, or else a schema. */
function toState(text: string) {
  const isSchema = !text.trimStart().startsWith("{") || /"__schema"/.test(text.slice(0, 1_000));
  return isSchema
    ? { schema: text, operation: "", tables: {}, resolvers: "" }
    : parseSharedState(JSON.parse(text));
}

function save(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const anchor = document.createElement("a");
  anchor.href = url;
  anchor.download = name;
  anchor.click();
  // the download has begun by the next task
  setTimeout(() => URL.revokeObjectURL(url));
}
