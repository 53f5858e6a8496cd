import { exerciseIntercepted } from "./intercepted_sockets.ts";
import { exerciseStreams } from "./intercepted_streams.ts";

// runs in a page, which has a title for the text, and in Node
const sockets = await exerciseIntercepted();
const streams = await exerciseStreams();
const exercised = JSON.stringify({ sockets, streams });
const { document } = globalThis as { document?: { title: string } };
if (document === undefined) console.log(exercised);
else document.title = exercised;
