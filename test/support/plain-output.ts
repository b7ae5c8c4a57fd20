/**
 * The command line colours its output for a terminal and under `CI`; tests read plain text wherever they run. Set before the
 * modules under test are loaded, which choose once. Node warns on standard error when both variables are set.
 */
delete process.env['FORCE_COLOR'];
process.env['NO_COLOR'] = '1';
