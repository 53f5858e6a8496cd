import { ALL_CLIENTS } from "./all_clients.ts";
import { useFeatures } from "./http_clients.ts";

// runs in a page, which has a title for the text, and in Node
const results = JSON.stringify(await useFeatures(ALL_CLIENTS));
const { document } = globalThis as { document?: { title: string } };
if (document === undefined) console.log(results);
else document.title = results;
