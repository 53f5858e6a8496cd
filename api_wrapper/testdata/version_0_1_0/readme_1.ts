import { api, cancelPendingRequests } from "@trestle/api-wrapper/core";
import axios from "axios";

const answer = () => Response.json([{ id: 1, title: "Hello" }]);
await using server = Deno.serve({ hostname: "127.0.0.1", port: 0 }, answer);
const baseURL = `http://127.0.0.1:${server.addr.port}`;

const posts = api("/posts", axios.create({ baseURL }));
const { data } = await posts.get<{ id: number; title: string }[]>();
console.log(data); // [ { id: 1, title: "Hello" } ]

const late = posts.get(1).catch((error) => [axios.isCancel(error), error.message]);
cancelPendingRequests("The user has left");
console.log(await late); // [ true, "The user has left" ]
