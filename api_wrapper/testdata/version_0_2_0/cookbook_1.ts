import { api, useApi } from "@trestle/api-wrapper";
import axios from "axios";

const instance = axios.create({ baseURL: "https://example.org/api" });
const [posts, users] = [api("/posts", instance), api("/users", instance)];

const { data, call } = useApi(async () => {
  const [post, user] = await Promise.all([posts.get<string>(1), users.get<string>(1)]);
  return { data: { post: post.data, user: user.data } };
}, false);
console.log(typeof call, data.value?.post);
