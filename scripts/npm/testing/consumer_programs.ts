/** Programs that use what a member promises to users of TypeScript, by its folder. */
export const CONSUMER_PROGRAMS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  api_wrapper: {
    "posts.mts": `import axios from "axios";
import { api, cancelPendingRequests, useApi } from "@trestle/api-wrapper";
import { api as coreApi } from "@trestle/api-wrapper/core";
interface Post {
  id: number;
}
const posts = api("/posts", axios.create());
const { data, call } = useApi((id: number) => posts.get<Post>(id), false);
export const post: Post | undefined = data.value;
export const id: Promise<number> = call(7).then(({ data }) => data.id);
export const same: typeof api = coreApi;
cancelPendingRequests("enough");
`,
    "posts.cts": `import axios = require("axios");
import wrapper = require("@trestle/api-wrapper/core");
const posts = wrapper.api("/posts", axios.create());
export const size: Promise<number> = posts.get<string[]>().then(({ data }) => data.length);
`,
  },
};
