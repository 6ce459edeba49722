package dev.doyen.image;

/** The paths in an image. */
public final class ImagePaths {

    /** The path of the working directory, relative to the image's root. */
    public static final String HOME = "doyen";

    // The other paths are relative to HOME.
    public static final String RUNTIME = "runtime";
    public static final String JAR = "program.jar";
    public static final String ARCHIVE = "classes.jsa";
    public static final String ARGUMENTS = "jvm.args";

    private ImagePaths() {}
}
