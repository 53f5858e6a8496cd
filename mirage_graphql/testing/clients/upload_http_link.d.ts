import { ApolloLink } from "@apollo/client";

/** apollo-upload-client has its types in comments, which TypeScript doesn't read in packages. */
export default class UploadHttpLink extends ApolloLink {
  constructor(options: { readonly uri: string; readonly fetch: typeof fetch });
}
