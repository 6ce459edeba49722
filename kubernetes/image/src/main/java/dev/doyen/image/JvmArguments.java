package dev.doyen.image;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The JVM arguments of the image; docs/decisions/0010 explains what each of them saves.
 *
 * <p>Class path and archive are relative to the image's working directory. The JVM accepts a class-data archive only
 * for exactly the class path that it was made with. The build makes the archive in another folder, and its user may not
 * be root.
 */
public final class JvmArguments {

    /** The first version that warns about native access by Netty, unless an argument permits it. */
    private static final int ASKS_ABOUT_NATIVE_ACCESS = 24;

    private JvmArguments() {}

    /** Returns the content of an argument file, one argument on each line. */
    public static String file(Recipe recipe, List<String> jars, int javaVersion) {
        var heap = recipe.heap();
        List<String> all = new ArrayList<>(List.of(
                "-XX:+UseSerialGC",
                "-Xms" + heap.atStart() + "m",
                "-Xmx" + heap.atMost() + "m",
                "-Xmn" + heap.young() + "m",
                "-Xss512k",
                "-XX:TieredStopAtLevel=1",
                "-XX:CICompilerCount=1",
                "-XX:CompileThresholdScaling=5",
                "-XX:ReservedCodeCacheSize=16m",
                "-XX:StringTableSize=4096",
                "-XX:TrimNativeHeapInterval=60000",
                "-XX:-UsePerfData",
                "-XX:+ExitOnOutOfMemoryError",
                "-XX:+ErrorFileToStderr",
                "-XX:+UnlockDiagnosticVMOptions",
                "-XX:ArchiveRelocationMode=0",
                "-XX:SharedArchiveFile=" + ImagePaths.ARCHIVE,
                "-Xlog:disable",
                "-Xlog:all=error:stderr",
                "-Dio.netty.allocator.type=unpooled"));
        all.addAll(forVersion(javaVersion));
        all.addAll(classPath(jars));
        return all.stream().map(each -> each + "\n").collect(Collectors.joining());
    }

    /** Returns the JVM arguments that create the class-data archive. They precede those of the file. */
    public static List<String> dumping(String classList) {
        return List.of("-Xshare:dump", "-XX:SharedClassListFile=" + classList);
    }

    private static List<String> forVersion(int javaVersion) {
        return javaVersion < ASKS_ABOUT_NATIVE_ACCESS
                ? List.of()
                : List.of("--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow");
    }

    private static List<String> classPath(List<String> jars) {
        return List.of(
                "-cp",
                jars.stream().map(jar -> ImagePaths.LIBRARIES + "/" + jar).collect(Collectors.joining(":")));
    }
}
