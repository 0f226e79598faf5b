import { assentedPassages } from './assent.ts';
import { withoutCodeBlocks } from './find-quote.ts';
import { contentTerms } from './polarity.ts';

/**
 * Returns what of the agent's answer the user took over with a reply to it, as assertions: the proposal that "yes" or
 * "makes sense" accepts, the option that "2", "the latter" or "that one" chooses. What the answer only reports is not
 * among it, because nobody agreed to it. Empty if the reply neither accepts nor chooses.
 */
export function acceptedProposal(message: string, answer: string): string[] {
  if (answer.trim() === '' || message.length > maxReplyLength) return [];
  // Whoever asks back has not agreed.
  const reply = message.replace(/[^.!?\n]*[?？]/gu, ' ');
  const passages = assentedPassages(message, answer);
  if (passages.length > 0) return passages.map(asAssertion);
  const paragraphs = paragraphsOf(answer);
  if (isChoosing(reply)) return chosenSentences(reply, paragraphs).map(asAssertion);
  if (!isAssent(reply)) return [];
  const proposing = paragraphs.filter((text) => isProposal(text));
  return proposing.map(asAssertion);
}

/** A longer message is not a reply; it says by itself what it settles. */
const maxReplyLength = 600;

const edge = (words: string): RegExp =>
  new RegExp(`(?<![\\p{L}\\p{N}])(?:${words})(?![\\p{L}\\p{N}])`, 'giu');

const assent = edge(
  "y|yes|yeah|yep|yup|ok|okay|sure|agree|agreed|accept|accepted|approve|approved|fine|good|great|perfect|exactly|correct|right|absolutely|definitely|makes sense|reasonable|sounds|do it|do that|do so|go ahead|go for it|go with|let'?s|lgtm|please do|why not|convinced|ja|jo|genau|einverstanden|passt|gerne|gut|macht|oui|ouais|d'accord|parfait|raisonnable|si|sí|vale|claro|de acuerdo|razonable|adelante|perfecto|sim|certo|va bene|да|ок|хорошо|давай|согласен|是|好|可以|行",
);
const choosing = edge(
  'that one|this one|the (?:latter|former|first|second|third|last|other)(?: one)?|yours|your (?:proposal|suggestion|idea|version|way|approach)|(?:I|we) prefer|go with|das (?:erste|zweite|letzte)|le (?:premier|second|dernier)|la (?:primera|segunda|última)',
);
const refusal = /(?:\b(?:not|no|never|nicht|kein\p{L}*|pas|не)|n'?t)\s+(?:\p{L}+\s+)?$/iu;

const isSaid = (pattern: RegExp, text: string): boolean =>
  [...text.matchAll(pattern)].some(({ index }) => !refusal.test(text.slice(0, index)));

const isAssent = (reply: string): boolean => isSaid(assent, plain(reply));
const isChoosing = (reply: string): boolean => isSaid(choosing, plain(reply));

const plain = (text: string): string => text.replace(/[‘’ʼ]/g, "'");

/** Somebody offers to do something, or says what would be better. */
const proposal = edge(
  "I'?d|I would|I'?ll|we (?:could|should|can)|would|could|should|shall|let'?s|propose|suggest|recommend|prefer|want me to|propongo|sugiero|recomiendo|podemos|podríamos|vorschlag\\p{L}*|schlage|würde|sollten|könnten|empfehle|suggère|recommande|pourrait|proponho|sugiro|предлагаю|лучше|建议",
);
const isProposal = (text: string): boolean => plain(text).search(proposal) !== -1;

const maxParagraphs = 12;

const paragraphsOf = (answer: string): string[] =>
  withoutCodeBlocks(answer)
    .split(/\n\s*\n/u)
    .map((text) => text.replace(/\s+/gu, ' ').trim())
    .filter((text) => text !== '')
    .slice(-maxParagraphs);

/**
 * The sentences of the answer with a word of the reply, each with the ones that continue it; the last sentence for "the
 * latter". Without either, the proposals.
 */
function chosenSentences(reply: string, paragraphs: string[]): string[] {
  const sentences = paragraphs.flatMap((text) => text.split(/(?<=[.!?;])\s+/u));
  const said = new Set(contentTerms(reply));
  const named = sentences.filter((text) => contentTerms(text).some((term) => said.has(term)));
  const last = /(?<!\p{L})(?:latter|last|zweite|letzte)(?!\p{L})/iu.test(reply) ? sentences.slice(-1) : [];
  const proposed = paragraphs.filter((text) => isProposal(text));
  if (last.length > 0) return [...last, ...(paragraphs.length === 1 ? proposed : [])];
  return named.length > 0 ? [...named, ...(/yours?/iu.test(reply) ? proposed : [])] : proposed;
}

/** The user agreed to what the answer asks, so a statement is compared with it as an assertion. */
const asAssertion = (text: string): string => text.replace(/[*_]{2,}/g, '').replace(/[?？]/g, '.');
