/**
 * Types as GraphQL Code Generator creates them, with the plugins `typescript` and
 * `typescript-resolvers`, the options `contextType` and `enumsAsTypes`, and `scalars` for `Date`.
 */
// deno-lint-ignore-file no-explicit-any ban-types
import type { GraphQLResolveInfo, GraphQLScalarType, GraphQLScalarTypeConfig } from "graphql";

/** The context type of the generated resolvers. */
export interface AppContext {
  readonly user: string;
}

export type Maybe<T> = T | null;
export type RequireFields<T, K extends keyof T> =
  & Omit<T, K>
  & { [P in K]-?: NonNullable<T[P]> };

export type Scalars = {
  ID: { input: string; output: string };
  String: { input: string; output: string };
  Boolean: { input: boolean; output: boolean };
  Int: { input: number; output: number };
  Date: { input: Date; output: Date };
};

export type Mood = "HAPPY" | "SAD";

export type Animal = { id: Scalars["ID"]["output"]; name: Maybe<Scalars["String"]["output"]> };

export type Cat = Animal & {
  __typename?: "Cat";
  id: Scalars["ID"]["output"];
  name: Maybe<Scalars["String"]["output"]>;
};

export type Dog = Animal & {
  __typename?: "Dog";
  id: Scalars["ID"]["output"];
  name: Maybe<Scalars["String"]["output"]>;
};

export type Pet = Cat | Dog;

export type Person = {
  __typename?: "Person";
  id: Scalars["ID"]["output"];
  name: Maybe<Scalars["String"]["output"]>;
  born: Maybe<Scalars["Date"]["output"]>;
  mood: Maybe<Mood>;
  pets: Array<Pet>;
};

export type PersonPetsArgs = { name?: Maybe<Scalars["String"]["input"]> };
export type QueryPersonArgs = { id: Scalars["ID"]["input"] };
export type MutationCreatePersonArgs = { input: { name: string } };

export type ResolverTypeWrapper<T> = Promise<T> | T;

export type ResolverWithResolve<TResult, TParent, TContext, TArgs> = {
  resolve: ResolverFn<TResult, TParent, TContext, TArgs>;
};
export type Resolver<
  TResult,
  TParent = Record<PropertyKey, never>,
  TContext = Record<PropertyKey, never>,
  TArgs = Record<PropertyKey, never>,
> =
  | ResolverFn<TResult, TParent, TContext, TArgs>
  | ResolverWithResolve<TResult, TParent, TContext, TArgs>;

export type ResolverFn<TResult, TParent, TContext, TArgs> = (
  parent: TParent,
  args: TArgs,
  context: TContext,
  info: GraphQLResolveInfo,
) => Promise<TResult> | TResult;

export type SubscriptionSubscribeFn<TResult, TParent, TContext, TArgs> = (
  parent: TParent,
  args: TArgs,
  context: TContext,
  info: GraphQLResolveInfo,
) => AsyncIterable<TResult> | Promise<AsyncIterable<TResult>>;

export type SubscriptionResolveFn<TResult, TParent, TContext, TArgs> = (
  parent: TParent,
  args: TArgs,
  context: TContext,
  info: GraphQLResolveInfo,
) => TResult | Promise<TResult>;

export interface SubscriptionSubscriberObject<
  TResult,
  TKey extends string,
  TParent,
  TContext,
  TArgs,
> {
  subscribe: SubscriptionSubscribeFn<{ [key in TKey]: TResult }, TParent, TContext, TArgs>;
  resolve?: SubscriptionResolveFn<TResult, { [key in TKey]: TResult }, TContext, TArgs>;
}

export interface SubscriptionResolverObject<TResult, TParent, TContext, TArgs> {
  subscribe: SubscriptionSubscribeFn<any, TParent, TContext, TArgs>;
  resolve: SubscriptionResolveFn<TResult, any, TContext, TArgs>;
}

export type SubscriptionObject<TResult, TKey extends string, TParent, TContext, TArgs> =
  | SubscriptionSubscriberObject<TResult, TKey, TParent, TContext, TArgs>
  | SubscriptionResolverObject<TResult, TParent, TContext, TArgs>;

export type SubscriptionResolver<
  TResult,
  TKey extends string,
  TParent = {},
  TContext = {},
  TArgs = {},
> =
  | ((...args: any[]) => SubscriptionObject<TResult, TKey, TParent, TContext, TArgs>)
  | SubscriptionObject<TResult, TKey, TParent, TContext, TArgs>;

export type TypeResolveFn<TTypes, TParent = {}, TContext = {}> = (
  parent: TParent,
  context: TContext,
  info: GraphQLResolveInfo,
) => Maybe<TTypes> | Promise<Maybe<TTypes>>;

export type IsTypeOfResolverFn<T = {}, TContext = {}> = (
  obj: T,
  context: TContext,
  info: GraphQLResolveInfo,
) => boolean | Promise<boolean>;

export type ResolversUnionTypes<_RefType extends Record<string, unknown>> = { Pet: Cat | Dog };

export type ResolversTypes = {
  Person: ResolverTypeWrapper<Omit<Person, "pets"> & { pets: Array<ResolversTypes["Pet"]> }>;
  Cat: ResolverTypeWrapper<Cat>;
  Dog: ResolverTypeWrapper<Dog>;
  Pet: ResolverTypeWrapper<ResolversUnionTypes<ResolversTypes>["Pet"]>;
  Mood: Mood;
  Date: ResolverTypeWrapper<Scalars["Date"]["output"]>;
  ID: ResolverTypeWrapper<Scalars["ID"]["output"]>;
  String: ResolverTypeWrapper<Scalars["String"]["output"]>;
  Query: ResolverTypeWrapper<Record<PropertyKey, never>>;
  Mutation: ResolverTypeWrapper<Record<PropertyKey, never>>;
  Subscription: ResolverTypeWrapper<Record<PropertyKey, never>>;
};

export type ResolversParentTypes = {
  Person: Omit<Person, "pets"> & { pets: Array<ResolversParentTypes["Pet"]> };
  Cat: Cat;
  Dog: Dog;
  Pet: ResolversUnionTypes<ResolversParentTypes>["Pet"];
  Date: Scalars["Date"]["output"];
  Query: Record<PropertyKey, never>;
  Mutation: Record<PropertyKey, never>;
  Subscription: Record<PropertyKey, never>;
};

export type AnimalResolvers<ContextType = AppContext, ParentType = ResolversParentTypes["Pet"]> = {
  __resolveType?: TypeResolveFn<"Cat" | "Dog", ParentType, ContextType>;
};

export type CatResolvers<
  ContextType = AppContext,
  ParentType extends ResolversParentTypes["Cat"] = ResolversParentTypes["Cat"],
> = {
  id?: Resolver<ResolversTypes["ID"], ParentType, ContextType>;
  name?: Resolver<Maybe<ResolversTypes["String"]>, ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export interface DateScalarConfig extends GraphQLScalarTypeConfig<Date, any> {
  name: "Date";
}

export type PersonResolvers<
  ContextType = AppContext,
  ParentType extends ResolversParentTypes["Person"] = ResolversParentTypes["Person"],
> = {
  id?: Resolver<ResolversTypes["ID"], ParentType, ContextType>;
  name?: Resolver<Maybe<ResolversTypes["String"]>, ParentType, ContextType>;
  born?: Resolver<Maybe<ResolversTypes["Date"]>, ParentType, ContextType>;
  mood?: Resolver<Maybe<ResolversTypes["Mood"]>, ParentType, ContextType>;
  pets?: Resolver<Array<ResolversTypes["Pet"]>, ParentType, ContextType, Partial<PersonPetsArgs>>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type PetResolvers<
  ContextType = AppContext,
  ParentType extends ResolversParentTypes["Pet"] = ResolversParentTypes["Pet"],
> = {
  __resolveType?: TypeResolveFn<"Cat" | "Dog", ParentType, ContextType>;
};

export type EnumResolverSignature<T, AllowedValues = any> = { [key in keyof T]?: AllowedValues };
export type MoodResolvers = EnumResolverSignature<{ HAPPY?: any; SAD?: any }, Mood>;

export type QueryResolvers<
  ContextType = AppContext,
  ParentType extends ResolversParentTypes["Query"] = ResolversParentTypes["Query"],
> = {
  people?: Resolver<Array<ResolversTypes["Person"]>, ParentType, ContextType>;
  person?: Resolver<
    Maybe<ResolversTypes["Person"]>,
    ParentType,
    ContextType,
    RequireFields<QueryPersonArgs, "id">
  >;
};

export type MutationResolvers<
  ContextType = AppContext,
  ParentType extends ResolversParentTypes["Mutation"] = ResolversParentTypes["Mutation"],
> = {
  createPerson?: Resolver<
    ResolversTypes["Person"],
    ParentType,
    ContextType,
    RequireFields<MutationCreatePersonArgs, "input">
  >;
};

export type SubscriptionResolvers<
  ContextType = AppContext,
  ParentType extends ResolversParentTypes["Subscription"] = ResolversParentTypes["Subscription"],
> = {
  personCreated?: SubscriptionResolver<
    ResolversTypes["Person"],
    "personCreated",
    ParentType,
    ContextType
  >;
};

export type Resolvers<ContextType = AppContext> = {
  Animal?: AnimalResolvers<ContextType>;
  Cat?: CatResolvers<ContextType>;
  Date?: GraphQLScalarType;
  Mood?: MoodResolvers;
  Mutation?: MutationResolvers<ContextType>;
  Person?: PersonResolvers<ContextType>;
  Pet?: PetResolvers<ContextType>;
  Query?: QueryResolvers<ContextType>;
  Subscription?: SubscriptionResolvers<ContextType>;
};
