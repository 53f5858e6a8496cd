const TEAMS: readonly [name: string, purpose: string][] = [
  ["Design", "Makes the harbor legible, on paper and on glass."],
  ["Platform", "Keeps the lights on and the cranes talking."],
  ["Operations", "Knows which ship is where, and why it is late."],
  ["Customer care", "Picks up the phone, then fixes the cause."],
  ["People", "Hires, pays, and remembers birthdays."],
];

const CITIES = ["Gothenburg", "Rotterdam", "Hamburg", "Porto", "Tallinn"];
const PRESENCES = ["AVAILABLE", "BUSY", "AVAILABLE", "AWAY", "AVAILABLE"];

const PEOPLE: readonly [name: string, title: string, team: number][] = [
  ["Mara Lindqvist", "Design lead", 1],
  ["Tomás Ferreira", "Product designer", 1],
  ["Aiko Nakamura", "Illustrator", 1],
  ["Jonas Brandt", "Researcher", 1],
  ["Priya Raman", "Platform lead", 2],
  ["Zoë van Dijk", "Site reliability engineer", 2],
  ["Samuel Okoro", "Backend engineer", 2],
  ["Elin Kask", "Data engineer", 2],
  ["Mateusz Nowak", "Frontend engineer", 2],
  ["Leila Haddad", "Security engineer", 2],
  ["Oskar Nilsson", "Head of operations", 3],
  ["Beatriz Moura", "Berth planner", 3],
  ["Hendrik Vos", "Pilot coordinator", 3],
  ["Kadri Tamm", "Berth planner", 3],
  ["Yusuf Demir", "Customs specialist", 3],
  ["Ingrid Solheim", "Traffic controller", 3],
  ["Chidi Eze", "Care lead", 4],
  ["Nora Keller", "Account manager", 4],
  ["Rui Tavares", "Support engineer", 4],
  ["Anneke Smit", "Account manager", 4],
  ["Dario Conti", "Support engineer", 4],
  ["Freya Holm", "Head of people", 5],
  ["Luís Carvalho", "Recruiter", 5],
  ["Mina Saar", "Payroll", 5],
  ["Gustav Ek", "Workplace", 5],
  ["Amara Diallo", "Product manager", 1],
  ["Felix Wagner", "Network engineer", 2],
  ["Signe Dahl", "Shift lead", 3],
];

const SHOUTOUTS: readonly [from: string, to: string, text: string][] = [
  ["5", "6", "Three alarms, no panic, everyone asleep again by two. Thank you."],
  ["12", "2", "The new berth map is the first one I don't have to explain."],
  ["17", "19", "You stayed on the line until the last container was found. They noticed."],
  ["1", "9", "Every page loads before I have let go of the mouse. How?"],
  ["22", "25", "The plants on the third floor are alive. All of them."],
  ["16", "13", "Fog, two tankers and one calm voice. That was yours."],
  ["8", "1", "Thank you for drawing what I could only mumble."],
];

const ANNOUNCEMENTS: readonly [title: string, text: string][] = [
  [
    "Open house on the 12th",
    "Families are welcome from two o'clock. The pilot boat sails at three.",
  ],
  ["New rooms on the fourth floor", "Lighthouse and Crow's Nest can be booked from today."],
  ["Summer hours", "From June to August we close the desk at four on Fridays."],
];

const ROOMS: readonly [name: string, seats: number, floor: number, features: string[]][] = [
  ["Lighthouse", 12, 4, ["Screen", "Video", "View"]],
  ["Crow's Nest", 4, 4, ["Screen", "Quiet"]],
  ["Boiler Room", 8, 1, ["Whiteboard", "Screen"]],
  ["Galley", 6, 2, ["Whiteboard", "Coffee"]],
];

const BOOKINGS: readonly [room: string, from: string, until: string, title: string, by: number][] =
  [
    ["1", "09:00", "10:00", "Planning the week", 11],
    ["1", "13:00", "14:30", "Berth map review", 1],
    ["2", "11:00", "11:30", "Interview", 23],
    ["3", "10:00", "12:00", "Incident review", 5],
    ["3", "15:00", "16:00", "Network maintenance", 27],
  ];

const HOUR = 3_600_000;

/** The initial database; its dates count back from the given one. */
export function seeds(now: Date): Record<string, object[]> {
  const ago = (hours: number) => new Date(now.getTime() - hours * HOUR).toISOString();
  return {
    people: PEOPLE.map(([name, title, team], index) => ({
      id: `${index + 1}`,
      name,
      title,
      email: emailOf(name),
      city: CITIES[(index * 3 + team) % CITIES.length],
      bio: bioOf(name, title, index),
      presence: PRESENCES[index % PRESENCES.length],
      startedOn: ago((index * 37 % 28 + 1) * 24 * 61).slice(0, 10),
      teamId: `${team}`,
      receivedIds: indexesOf(SHOUTOUTS, ([, to]) => to === `${index + 1}`),
    })),
    teams: TEAMS.map(([name, purpose], index) => ({
      id: `${index + 1}`,
      name,
      purpose,
      memberIds: indexesOf(PEOPLE, ([, , team]) => team === index + 1),
    })),
    shoutouts: SHOUTOUTS.map(([fromId, toId, text], index) => ({
      id: `${index + 1}`,
      at: ago(2 + index * 19),
      fromId,
      toId,
      text,
    })),
    announcements: ANNOUNCEMENTS.map(([title, text], index) => ({
      id: `${index + 1}`,
      at: ago(5 + index * 71),
      title,
      text,
    })),
    arrivals: ["28", "27", "26"].map((personId, index) => ({
      id: `${index + 1}`,
      at: ago(26 + index * 50),
      personId,
    })),
    rooms: ROOMS.map(([name, seats, floor, features], index) => ({
      id: `${index + 1}`,
      name,
      seats,
      floor,
      features,
    })),
    bookings: BOOKINGS.map(([roomId, from, until, title, by], index) => ({
      id: `${index + 1}`,
      roomId,
      from,
      until,
      title,
      by: PEOPLE[by - 1]?.[0],
      mine: by === 1,
    })),
  };
}

function indexesOf<Row>(rows: readonly Row[], fits: (row: Row) => boolean): string[] {
  return rows.flatMap((row, index) => fits(row) ? [`${index + 1}`] : []);
}

function emailOf(name: string): string {
  const plain = name.normalize("NFD").replaceAll(/[^\w ]/g, "").toLowerCase();
  return `${plain.split(" ").join(".")}@quayside.example`;
}

function bioOf(name: string, title: string, index: number): string {
  const [first] = name.split(" ");
  const ends = [
    "Best reached before noon, and never without coffee.",
    "Sails on weekends, answers on Mondays.",
    "Keeps a notebook of every good question heard here.",
  ];
  return `${first} is our ${title.toLowerCase()}. ${ends[index % ends.length]}`;
}
