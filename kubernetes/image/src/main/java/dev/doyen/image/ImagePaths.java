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
    /** The names and SHA-256 sums of the jars that were merged into {@link #JAR}. */
    public static final String JARS = "jars.sha256";

    /**
     * The folder for the descriptions of the Debian packages whose files are in the image. The path is relative to the
     * image's root. Scanners find the packages of an image without a package manager in this folder.
     */
    public static final String PACKAGES = "var/lib/dpkg/status.d";

    private ImagePaths() {}
}
