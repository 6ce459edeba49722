package dev.doyen.process;

import java.lang.System.Logger.Level;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.function.Consumer;

/**
 * Replaces the JVM's handlers of signals to this process.
 *
 * <p>The class uses {@code sun.misc.Signal} of the module jdk.unsupported, because Java has no other API for signals.
 * It calls {@code sun.misc.Signal} by reflection, because javac warns about each direct use of that class, and the
 * warning cannot be suppressed. The JVM still handles the signals that it reserves. If HUP, INT or TERM was ignored
 * when this process started (nohup), the JVM still ignores that signal.
 */
public final class ProcessSignals {

    private static final System.Logger LOG = System.getLogger("dev.doyen");

    private ProcessSignals() {}

    /** Passes every {@link RunSignal} to {@code listener} from now on. The listener runs on a thread of the JVM. */
    public static void catchAll(Consumer<RunSignal> listener) {
        catchOnly(List.of(RunSignal.values()), listener);
    }

    /** Passes only the given signals to {@code listener}, as {@link #catchAll} does for every {@link RunSignal}. */
    public static void catchOnly(List<RunSignal> signals, Consumer<RunSignal> listener) {
        try {
            var type = Class.forName("sun.misc.Signal");
            var handlerType = Class.forName("sun.misc.SignalHandler");
            var handle = type.getMethod("handle", type, handlerType);
            for (var signal : signals) {
                var handler = Proxy.newProxyInstance(
                        handlerType.getClassLoader(), new Class<?>[] {handlerType}, (proxy, method, arguments) -> {
                            if (method.getName().equals("handle")) {
                                listener.accept(signal);
                                return null;
                            }
                            return method.getName().equals("hashCode") ? (Object) signal.hashCode() : answer(method);
                        });
                catchOne(handle, type.getConstructor(String.class).newInstance(signal.name()), handler, signal);
            }
        } catch (ReflectiveOperationException e) {
            LOG.log(
                    Level.WARNING,
                    "this Java runtime cannot catch signals, because it lacks the module jdk.unsupported; signals have"
                            + " their default effect");
        }
    }

    private static void catchOne(Method handle, Object signal, Object handler, RunSignal name)
            throws IllegalAccessException {
        try {
            handle.invoke(null, signal, handler);
        } catch (InvocationTargetException e) {
            LOG.log(Level.DEBUG, () -> "the JVM reserves SIG" + name + ", so this process does not catch it");
        }
    }

    /**
     * Returns the result of the handler's equals or toString. A proxy must implement both methods, but the JVM never
     * calls them.
     */
    private static Object answer(Method method) {
        return method.getReturnType() == boolean.class ? (Object) false : "doyen's signal handler";
    }
}
