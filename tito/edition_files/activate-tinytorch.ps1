# Dot-source this file in PowerShell, from anywhere:  . .\bin\activate-tinytorch.ps1
# The first time it makes .venv and installs the course into it; later it only activates it.

function Install-TinyTorch($Root, $Venv) {
    $Python = @("py -3.13", "py -3.12", "py -3.11", "python") | Where-Object {
        $Command, $Flags = $_ -split " "
        try { & $Command @Flags -c "import sys; sys.exit(sys.version_info < (3, 11))" 2>$null } catch { return $false }
        $LASTEXITCODE -eq 0
    } | Select-Object -First 1
    if (-not $Python) {
        Write-Host "error: no Python 3.11 or newer found: install one from https://www.python.org/downloads/"
        return $false
    }
    Write-Host "Setting up $Venv (once; a few minutes)"
    $Command, $Flags = $Python -split " "
    & $Command @Flags -m venv --clear $Venv
    if ($LASTEXITCODE -ne 0) { return $false }
    & "$Venv\Scripts\python.exe" -m pip install --quiet --disable-pip-version-check -r "$Root\requirements.lock" | Out-Host
    if ($LASTEXITCODE -ne 0) { return $false }
    & "$Venv\Scripts\python.exe" -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e $Root | Out-Host
    return $LASTEXITCODE -eq 0
}

$TinyTorchRoot = Split-Path -Parent $PSScriptRoot
$TinyTorchVenv = Join-Path $TinyTorchRoot ".venv"
$TinyTorchMark = Join-Path $TinyTorchVenv ".tinytorch"
# A changed lock file or a moved folder calls for a new environment.
$TinyTorchWanted = "$TinyTorchRoot $((Get-FileHash (Join-Path $TinyTorchRoot 'requirements.lock')).Hash)"
$TinyTorchReady = (Test-Path $TinyTorchMark) -and ((Get-Content $TinyTorchMark) -eq $TinyTorchWanted)
if (-not $TinyTorchReady) {
    $TinyTorchReady = Install-TinyTorch $TinyTorchRoot $TinyTorchVenv
    if ($TinyTorchReady) { Set-Content $TinyTorchMark $TinyTorchWanted }
}
if ($TinyTorchReady) {
    & (Join-Path $TinyTorchVenv "Scripts\Activate.ps1")
    Write-Host "TinyTorch is active. cd $TinyTorchRoot, then: tito module status"
} else {
    Write-Host "error: the setup did not finish: mend what the lines above say, then run this file again."
}
