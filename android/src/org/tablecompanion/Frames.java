package org.tablecompanion;

import android.app.Activity;
import android.util.Size;
import androidx.camera.core.CameraSelector;
import androidx.camera.core.ImageAnalysis;
import androidx.camera.core.ImageProxy;
import androidx.camera.core.resolutionselector.ResolutionSelector;
import androidx.camera.core.resolutionselector.ResolutionStrategy;
import androidx.camera.lifecycle.ProcessCameraProvider;
import androidx.core.content.ContextCompat;
import androidx.lifecycle.Lifecycle;
import androidx.lifecycle.LifecycleOwner;
import androidx.lifecycle.LifecycleRegistry;
import com.google.common.util.concurrent.ListenableFuture;
import java.nio.ByteBuffer;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * The tablet's camera as the newest frame, for companion/vision/tablet_camera.py.
 *
 * Frames are in the sensor's own orientation, so that a calibrated lens stays valid however the
 * tablet is turned. It has a life of its own: kivy's activity is no LifecycleOwner.
 */
public final class Frames implements LifecycleOwner {
    private final Activity activity;
    private final Size wanted;
    private final CameraSelector selector;
    private final LifecycleRegistry life = new LifecycleRegistry(this);
    private final ExecutorService worker = Executors.newSingleThreadExecutor();
    private byte[] newest;
    private int width;
    private int height;
    private String trouble = "";
    private ProcessCameraProvider provider;

    public Frames(Activity activity, int width, int height, boolean back) {
        this.activity = activity;
        this.wanted = new Size(width, height);
        this.selector =
                back ? CameraSelector.DEFAULT_BACK_CAMERA : CameraSelector.DEFAULT_FRONT_CAMERA;
    }

    @Override
    public Lifecycle getLifecycle() {
        return life;
    }

    /** Begin; frames come as soon as the camera is ready. */
    public void open() {
        activity.runOnUiThread(
                () -> {
                    life.setCurrentState(Lifecycle.State.CREATED);
                    ListenableFuture<ProcessCameraProvider> coming =
                            ProcessCameraProvider.getInstance(activity);
                    coming.addListener(
                            () -> {
                                try {
                                    bind(coming.get());
                                } catch (Exception error) {
                                    complain(error);
                                }
                            },
                            ContextCompat.getMainExecutor(activity));
                });
    }

    private void bind(ProcessCameraProvider found) {
        provider = found;
        ResolutionSelector size =
                new ResolutionSelector.Builder()
                        .setResolutionStrategy(
                                new ResolutionStrategy(
                                        wanted,
                                        ResolutionStrategy
                                                .FALLBACK_RULE_CLOSEST_HIGHER_THEN_LOWER))
                        .build();
        ImageAnalysis analysis =
                new ImageAnalysis.Builder()
                        .setResolutionSelector(size)
                        .setOutputImageFormat(ImageAnalysis.OUTPUT_IMAGE_FORMAT_RGBA_8888)
                        .setBackpressureStrategy(ImageAnalysis.STRATEGY_KEEP_ONLY_LATEST)
                        .build();
        analysis.setAnalyzer(worker, this::take);
        provider.unbindAll();
        provider.bindToLifecycle(this, selector, analysis);
        life.setCurrentState(Lifecycle.State.RESUMED);
    }

    private void take(ImageProxy image) {
        try {
            ImageProxy.PlaneProxy plane = image.getPlanes()[0];
            ByteBuffer rows = plane.getBuffer();
            int wide = image.getWidth();
            int high = image.getHeight();
            byte[] tight = new byte[wide * high * 4];
            // Rows may be padded at their ends.
            for (int row = 0; row < high; row++) {
                rows.position(row * plane.getRowStride());
                rows.get(tight, row * wide * 4, wide * 4);
            }
            synchronized (this) {
                newest = tight;
                width = wide;
                height = high;
                trouble = "";
            }
        } catch (RuntimeException error) {
            complain(error);
        } finally {
            image.close();
        }
    }

    private synchronized void complain(Exception error) {
        trouble = String.valueOf(error.getMessage());
    }

    /** The newest frame as RGBA, once; null while there is no newer one. */
    public synchronized byte[] newest() {
        byte[] taken = newest;
        newest = null;
        return taken;
    }

    public synchronized int width() {
        return width;
    }

    public synchronized int height() {
        return height;
    }

    /** What went wrong last; empty while frames come. */
    public synchronized String trouble() {
        return trouble;
    }

    /** Let go of the camera. */
    public void close() {
        activity.runOnUiThread(
                () -> {
                    life.setCurrentState(Lifecycle.State.DESTROYED);
                    if (provider != null) {
                        provider.unbindAll();
                    }
                });
        worker.shutdown();
    }
}
