import { readFileSync } from 'node:fs';
import { proposedRules } from '../../src/team/sources/review-rules.ts';
import { atLeast, type Evaluation, round } from '../../test/harness/evaluation.ts';

/** A remark as its writer labelled it. Remarks with the same `rule` ask for the same; others have none. */
interface Remark {
  id: string;
  request: string;
  author: string;
  time: string;
  text: string;
  takenUp: boolean;
  rule: string | null;
}

/**
 * Which of the rules that reviewers repeat are proposed. The two sets are about different projects and have different
 * writers, who did not know the code. The first was used to choose the limits; the second only measures.
 */
export const reviewRules: Evaluation = {
  name: 'review-rules',
  summary:
    'Rules that reviewers repeat in their own words: how many are proposed, and how many proposals are right.',
  async run() {
    const [development, test] = [score('development'), score('test')];
    return {
      n: development.remarks + test.remarks,
      figures: {
        'development: rules repeated': development.wanted,
        'development: rules proposed': development.found,
        'development: proposals': development.proposals,
        'development: right': development.right,
        'test: rules repeated': test.wanted,
        'test: rules proposed': test.found,
        'test: proposals': test.proposals,
        'test: right': test.right,
      },
      bars: {
        'test: share of rules proposed': atLeast(round(test.found / test.wanted), 0.4),
        'test: share of proposals right': atLeast(round(test.right / test.proposals), 0.9),
      },
    };
  },
};

function score(name: string) {
  const file = new URL(`./${name}.json`, import.meta.url);
  const remarks = JSON.parse(readFileSync(file, 'utf8')) as Remark[];
  const rules = new Map(remarks.map(({ id, rule }) => [id, rule]));
  const proposals = proposedRules(
    remarks.map(({ id, takenUp, time, rule: _, ...remark }) => ({
      ...remark,
      sourceRef: id,
      url: `https://forge.example/${id}`,
      created: time,
      isTakenUp: takenUp,
    })),
  );
  const found = proposals.flatMap(({ evidence }) => {
    const [rule, ...others] = new Set(evidence.map(({ sourceRef }) => rules.get(sourceRef)));
    return rule && others.length === 0 ? [rule] : [];
  });
  const wanted = [...Map.groupBy(remarks, ({ rule }) => rule)].flatMap(([rule, said]) =>
    rule !== null && said.length > 1 && said.some(({ takenUp }) => takenUp) ? [rule] : [],
  );
  return {
    remarks: remarks.length,
    proposals: proposals.length,
    right: found.length,
    found: wanted.filter((rule) => found.includes(rule)).length,
    wanted: wanted.length,
  };
}
