import type { VNode } from "vue";
import { fieldOf, resolve } from "../schema/field.ts";
import { fits } from "../schema/initial_value.ts";
import type { FieldProps } from "./field_props.ts";
import { ListField, MapField, ObjectField } from "./GroupFields.tsx";
import { JsonField } from "./JsonField.tsx";
import {
  BooleanField,
  ChoiceField,
  ConstantField,
  NumberField,
  TextField,
} from "./SimpleFields.tsx";
import { VariantField } from "./VariantField.tsx";

/** Edits a value as its schema says; one that does not match the schema is edited as JSON. */
export function SchemaField(given: FieldProps): VNode {
  const props = { ...given, schema: resolve(given.schema, given.root), Nested: SchemaField };
  const field = fieldOf(props.schema);
  if (!fits(props.value, field)) return <JsonField {...props} />;
  switch (field.kind) {
    case "text":
      return <TextField {...props} field={field} />;
    case "number":
      return <NumberField {...props} field={field} />;
    case "boolean":
      return <BooleanField {...props} field={field} />;
    case "choice":
      return <ChoiceField {...props} field={field} />;
    case "constant":
      return <ConstantField {...props} field={field} />;
    case "list":
      return <ListField {...props} field={field} />;
    case "object":
      return <ObjectField {...props} field={field} />;
    case "map":
      return <MapField {...props} field={field} />;
    case "variants":
      return <VariantField {...props} field={field} />;
    case "json":
      return <JsonField {...props} />;
  }
}
