import { api, useApi } from "@trestle/api-wrapper";
import axios from "axios";

const posts = api("/posts", axios.create({ baseURL: "https://example.org/api" }));
const { data, call } = useApi((id: number) => posts.get<{ title: string }>(id), false);

const show = (id: number) => call(id); // Promise<AxiosResponse<{ title: string }>>
const title = () => data.value?.title; // string | undefined
console.log(typeof show, title());
