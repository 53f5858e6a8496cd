import { testRecipes } from "./testing/check_recipe.ts";
import { RECIPES } from "./testing/recipe_checks.ts";

const names = Object.keys(RECIPES).filter((name) => !RECIPES[name]?.isLarge);

testRecipes("the recipes run as their pages show them", names);
