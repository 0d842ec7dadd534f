import fc from 'fast-check'

// One seed for every property of a run, so that a failure can be had again; ASHLAR_SEED=random looks for new ones.
const wanted = process.env['ASHLAR_SEED'] ?? '20261115'
const seed = wanted === 'random' ? Date.now() & 0x7fffffff : Number(wanted)

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed })
