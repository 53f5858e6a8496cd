import { testRecipes } from "./testing/check_recipe.ts";
import { RECIPES } from "./testing/recipe_checks.ts";

testRecipes("the recipes run as their pages show them", Object.keys(RECIPES));
