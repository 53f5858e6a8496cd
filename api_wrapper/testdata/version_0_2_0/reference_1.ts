import { api, cancelPendingRequests } from "@trestle/api-wrapper";
import axios from "axios";

const posts = api("/posts", axios.create({ baseURL: "https://example.org/api" }));
const controller = new AbortController();
const requests = [posts.get(1), posts.get(2, { signal: controller.signal })];

controller.abort(); // one request
posts.cancelPendingRequests("Filter changed"); // those of this module
cancelPendingRequests("Logged out"); // all of them, in every module

const ends = await Promise.allSettled(requests);
console.log(ends.map((end) => end.status === "rejected" && axios.isCancel(end.reason)));
// [ true, true ]
