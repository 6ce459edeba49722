package dev.doyen.image;

/** A program that has an image. */
public enum Program {
    ELECTOR,
    HUB,
    INJECTOR,
    RING,
    /** The program with all its commands and stores. */
    DOYEN;

    /** Returns the recipe of the program's image. */
    public Recipe recipe() {
        return switch (this) {
            case ELECTOR -> Recipe.ELECTOR;
            case HUB -> Recipe.HUB;
            case INJECTOR -> Recipe.INJECTOR;
            case RING -> Recipe.RING;
            case DOYEN -> Recipe.DOYEN;
        };
    }
}
