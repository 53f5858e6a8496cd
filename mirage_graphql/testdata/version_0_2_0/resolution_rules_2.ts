import { createServer, hasMany, Model } from "miragejs";

createServer({
  models: {
    post: Model.extend({}),
    user: Model.extend({ posts: hasMany("post", { inverse: "author" }) }),
  },
});
