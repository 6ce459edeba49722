package dev.doyen.mutants;

/**
 * What became of a mutant.
 *
 * @param seed the first that showed it, or 0
 * @param by the violation, or ""
 */
public record Fate(long seed, String by) {

    public boolean isAlive() {
        return by.isEmpty();
    }
}
