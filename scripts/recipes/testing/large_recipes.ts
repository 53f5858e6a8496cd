import { testRecipes } from "./check_recipe.ts";
import { RECIPES } from "./recipe_checks.ts";

for (const name of Object.keys(RECIPES).filter((name) => RECIPES[name]?.isLarge)) {
  testRecipes(`the recipe "${name}" runs as its page shows it`, [name]);
}
