import type { Asked, ComparisonReport } from 'ashlar/evaluation'

/** A question, and the share of its evidence that each configuration handed over. */
export interface DifferingQuestion extends Pick<Asked, 'question'> {
  readonly scores: readonly number[]
  /** What each configuration handed over. */
  readonly asked: readonly Asked[]
}

/** Questions on which configurations differ, those that differ most first; of one configuration alone, those that found least. */
export function differingQuestions({ results }: ComparisonReport): readonly DifferingQuestion[] {
  const [first, ...others] = results
  const all = (first?.evaluation.asked ?? []).map((one, at) => {
    const asked = [one, ...others.map(({ evaluation }) => evaluation.asked[at] as Asked)]
    return { question: one.question, asked, scores: asked.map(({ completeness }) => completeness) }
  })
  const spread = ({ scores }: DifferingQuestion): number =>
    others.length === 0 ? 1 - (scores[0] ?? 0) : Math.max(...scores) - Math.min(...scores)
  return all.filter((one) => spread(one) > 1e-9).sort((left, right) => spread(right) - spread(left))
}
