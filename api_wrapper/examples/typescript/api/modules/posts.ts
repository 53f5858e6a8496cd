import { defineApi } from "../define_api.ts";

export interface Post {
  id: number;
  title: string;
}

const http = defineApi("/posts");

export const posts = {
  list: () => http.get<Post[]>(),
  show: (id: Post["id"]) => http.get<Post>(id),
  create: (post: Omit<Post, "id">) => http.post<Post>(post),
  replace: ({ id, ...post }: Post) => http.put<Post>(id, post),
  rename: (id: Post["id"], title: string) => http.patch<Post>(id, { title }),
  remove: (id: Post["id"]) => http.delete(id),
  cancelPendingRequests: http.cancelPendingRequests,
};
