package dev.doyen.mutants;

/**
 * The result of a search for a seed that exposes a mutant.
 *
 * @param seed the first seed that exposed the mutant; 0 if no seed exposed it
 * @param by the violation that the seed reported; empty if no seed exposed the mutant
 */
public record Fate(long seed, String by) {

    public boolean isAlive() {
        return by.isEmpty();
    }
}
