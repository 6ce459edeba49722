package dev.doyen.image;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The JVM arguments of the images.
 *
 * <p>The paths of the jar and of the archive are relative to the image's working directory. The JVM accepts a
 * class-data archive only if the class path equals the class path with which the archive was created. The build creates
 * the archive in another folder, because a user who is not root cannot create the folder of the image. With relative
 * paths, the class paths are equal in both folders.
 */
public final class JvmArguments {

    /**
     * The first Java version that warns about Netty's native access.
     *
     * <p>An argument that permits this access prevents the warning.
     */
    private static final int FIRST_WITH_NATIVE_ACCESS_WARNING = 24;

    private JvmArguments() {}

    /**
     * Returns the arguments of a program that needs little memory and serves few clients. All sizes are in MiB.
     *
     * @param young the size of the heap's young generation
     */
    static List<String> ofSmall(int heapAtStart, int maxHeap, int young) {
        return List.of(
                "-Xms" + heapAtStart + "m",
                "-Xmx" + maxHeap + "m",
                "-Xmn" + young + "m",
                "-XX:TieredStopAtLevel=1",
                "-XX:CICompilerCount=1",
                "-XX:CompileThresholdScaling=5",
                "-XX:ReservedCodeCacheSize=16m",
                "-XX:StringTableSize=4096");
    }

    /**
     * Returns the arguments of a program that serves many clients. The heap grows up to half of the container's memory
     * limit, and returns unused memory early.
     */
    static List<String> ofServer() {
        return List.of(
                "-Xms32m",
                "-XX:MaxRAMPercentage=50",
                "-XX:MaxNewSize=8m",
                "-XX:MinHeapFreeRatio=10",
                "-XX:MaxHeapFreeRatio=30");
    }

    /** Returns the content of an argument file, one argument on each line. */
    public static String file(Recipe recipe, int javaVersion) {
        List<String> all = new ArrayList<>(List.of("-XX:+UseSerialGC", "-Xss512k"));
        all.addAll(recipe.sizes());
        all.addAll(List.of(
                "-XX:TrimNativeHeapInterval=60000",
                "-XX:-UsePerfData",
                "-XX:+ExitOnOutOfMemoryError",
                "-XX:+ErrorFileToStderr",
                "-XX:+UnlockDiagnosticVMOptions",
                "-XX:ArchiveRelocationMode=0",
                "-XX:SharedArchiveFile=" + ImagePaths.ARCHIVE,
                "-Xlog:disable",
                "-Xlog:all=error:stderr",
                "-Dio.netty.allocator.type=unpooled",
                // The image has no /tmp. Netty logs a warning if its temporary directory does not exist, although Netty
                // writes nothing to this directory.
                "-Dio.netty.tmpdir=."));
        all.addAll(forVersion(javaVersion));
        all.addAll(List.of("-cp", ImagePaths.JAR));
        return all.stream().map(each -> each + "\n").collect(Collectors.joining());
    }

    /**
     * Returns the JVM arguments that create the class-data archive. On the command line, these arguments come before
     * the argument file.
     */
    public static List<String> dumping(String classList) {
        return List.of("-Xshare:dump", "-XX:SharedClassListFile=" + classList);
    }

    private static List<String> forVersion(int javaVersion) {
        return javaVersion < FIRST_WITH_NATIVE_ACCESS_WARNING
                ? List.of()
                : List.of("--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow");
    }
}
