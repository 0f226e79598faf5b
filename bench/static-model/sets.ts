import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

/** Texts of one conversation, and questions with the indices of the texts that answer them. */
export interface Talk {
  split: 'dev' | 'test';
  texts: string[];
  questions: { text: string; answers: number[]; evidence: number }[];
}

/** Next to the project, because these sets may be used but not redistributed. */
const besideProject = join(import.meta.dirname, '..', '..', '..', 'shared', 'data');

interface LocomoSample {
  sample_id: string;
  conversation: Record<string, unknown>;
  qa: { question: string; evidence?: string[]; category: number }[];
}

interface LocomoTurn {
  dia_id: string;
  speaker: string;
  text?: string;
  blip_caption?: string;
}

const locomoDev = ['conv-26', 'conv-30', 'conv-41'];
const adversarial = 5;

/** Two friends talk over months. Single turns; questions of categories 1 to 4. */
export function readLocomo(folder = besideProject): Talk[] {
  const samples = JSON.parse(readFileSync(join(folder, 'locomo', 'locomo10.json'), 'utf8')) as LocomoSample[];
  return samples.map(({ sample_id, conversation, qa }) => {
    const turns = Object.entries(conversation)
      .filter(([name, value]) => /^session_\d+$/.test(name) && Array.isArray(value))
      .sort(([a], [b]) => Number(a.slice(8)) - Number(b.slice(8)))
      .flatMap(([, value]) => value as LocomoTurn[]);
    const places = new Map(turns.map(({ dia_id }, at) => [dia_id, at]));
    const questions = qa
      .filter(({ category }) => category !== adversarial)
      .map(({ question, evidence = [] }) => {
        // A few ids are written like D8:6; D9:17, D:11:26 or D30:05.
        const ids = evidence.flatMap((id) => id.split(/[;\s]+/));
        const answers = ids.map((id) => places.get(id.replace(/^D:/, 'D').replace(/:0+/, ':')));
        const known = [...new Set(answers.filter((place) => place !== undefined))];
        return { text: question, answers: known, evidence: known.length };
      })
      .filter(({ evidence }) => evidence > 0);
    const texts = turns.map(({ speaker, text = '', blip_caption: caption = '' }) =>
      `${speaker}: ${text} ${caption}`.trim(),
    );
    return { split: locomoDev.includes(sample_id) ? 'dev' : 'test', texts, questions };
  });
}

interface BeamChat {
  messages: { id: number; role: string; content: string }[];
  questions: { type: string; question: string; source_ids: number[] }[];
}

/** Kinds of questions whose answer is a whole history, or which have no answer. */
const notPoint = ['abstention', 'event_ordering', 'summarization'];

/** Long conversations with an assistant: the user's messages, and questions about single messages. */
export function readBeam(size: '100K' | '500K', folder = besideProject): Talk[] {
  const bytes = gunzipSync(readFileSync(join(folder, 'beam', `beam_${size}.json.gz`)));
  return (JSON.parse(bytes.toString('utf8')) as BeamChat[]).map(({ messages, questions }) => {
    const userMessages = messages.filter(({ role }) => role === 'user');
    const places = new Map(userMessages.map(({ id }, at) => [id, at]));
    return {
      split: size === '100K' ? 'dev' : 'test',
      texts: userMessages.map(({ content }) => content),
      questions: questions
        .filter(({ type, source_ids: ids }) => !notPoint.includes(type) && ids.length > 0)
        .map(({ question, source_ids: ids }) => ({
          text: question,
          answers: [...new Set(ids)].map((id) => places.get(id)).filter((place) => place !== undefined),
          evidence: new Set(ids).size,
        })),
    };
  });
}
