import { stopServer } from "./miragejs.js";

/** Runs the examples one after the other, and resolves with what each answers. */
export async function runExamples() {
  try {
    return await ask();
  } finally {
    stopServer();
  }
}

async function ask() {
  const answers = {};
  const { default: person } = await import("./app/components/person.js");
  answers.person = await person.getPerson("1");
  const { default: people } = await import("./app/components/people.js");
  answers.people = await people.getPeople();
  const { default: changed } = await import("./app/components/created_and_updated_people.js");
  answers.created = await changed.createPerson({ firstName: "Ola", lastName: "Englund" });
  answers.updated = await changed.updatePerson("1", { lastName: "Strandberg" });
  const { default: filtered } = await import("./app/components/people_by_last_name.js");
  answers.peopleByLastName = await filtered.getPeopleByLastName("Haake");
  const { default: sorted } = await import("./app/components/sorted_people.js");
  answers.sortedPeople = await sorted.getSortedPeopleBy("lastName");
  const { default: deleted } = await import("./app/components/deleted_people.js");
  answers.deleted = await deleted.deletePerson("1");
  return answers;
}
