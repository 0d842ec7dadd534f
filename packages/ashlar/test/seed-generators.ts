import fc from 'fast-check'

// One seed for everything that is generated in a run, so that a failure can be had again; ASHLAR_SEED=random looks for new ones.
const wanted = process.env['ASHLAR_SEED'] ?? '20261115'
const seed = wanted === 'random' ? Date.now() & 0x7fffffff : Number(wanted)

process.env['ASHLAR_SEED'] = String(seed)
fc.configureGlobal({ ...fc.readConfigureGlobal(), seed })
