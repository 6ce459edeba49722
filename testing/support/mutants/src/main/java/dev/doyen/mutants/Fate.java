package dev.doyen.mutants;

/**
 * The result of a search for a seed that exposes a mutant.
 *
 * @param seed the first seed that exposed it, or 0 if none did
 * @param by the violation, or ""
 */
public record Fate(long seed, String by) {

    public boolean isAlive() {
        return by.isEmpty();
    }
}
