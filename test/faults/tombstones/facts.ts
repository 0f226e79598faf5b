import type { Random } from '../../harness/random.ts';

/** A user's statement in words that occur nowhere else, and the agent's answer. */
export interface Fact {
  prompt: string;
  echo: string;
  /** The same in other words, as a model might put it in a second extraction. */
  paraphrase: string;
  /** Unique words; if any remains, the fact remains. */
  marks: string[];
}

const syllables =
  'ba be bi bo bu da de di do du fa fe ga go ka ki ko la le lo lu ma mi mo na ni no pa pe po ra ri ro sa si so ta ti to va ve vo za zo'.split(
    ' ',
  );

const coin = (random: Random): string => Array.from({ length: 5 }, () => random.pick(syllables)).join('');

/** In each, the user settles something explicitly, so that it becomes a note. */
const forms: ((one: string, two: string, three: string) => Omit<Fact, 'marks'>)[] = [
  (one, two, three) => ({
    prompt: `always send ${one} through the ${two} gateway, ${three} rejects it otherwise`,
    echo: `Understood: ${one} goes through the ${two} gateway from here on, because ${three} rejects it otherwise.`,
    paraphrase: `${two} is the only gateway for ${one}; ${three} would refuse it.`,
  }),
  (one, two, three) => ({
    prompt: `we decided to keep ${one} in ${two} until ${three} is replaced`,
    echo: `Got it, ${one} stays in ${two} until ${three} is replaced.`,
    paraphrase: `${two} is the place of ${one} as long as ${three} exists.`,
  }),
  (one, two, three) => ({
    prompt: `never store ${one} in ${two}, it belongs in ${three}`,
    echo: `Will do: ${one} belongs in ${three}, never in ${two}.`,
    paraphrase: `Keep ${one} out of ${two}; its place is ${three}.`,
  }),
  (one, two, three) => ({
    prompt: `from now on the ${two} job runs with ${one}, because ${three} lost data twice`,
    echo: `${one} it is for the ${two} job, given that ${three} lost data.`,
    paraphrase: `The ${two} job runs on ${one} since ${three} loses data.`,
  }),
];

export function inventFacts(count: number, random: Random): Fact[] {
  const seen = new Set<string>();
  const fresh = (): string => {
    for (;;) {
      const word = coin(random);
      if (!seen.has(word)) {
        seen.add(word);
        return word;
      }
    }
  };
  return Array.from({ length: count }, (_, at) => {
    const marks = [fresh(), fresh(), fresh()];
    const form = forms[at % forms.length] as (typeof forms)[number];
    const fact = form(marks[0] as string, marks[1] as string, marks[2] as string);
    return { ...fact, marks };
  });
}
