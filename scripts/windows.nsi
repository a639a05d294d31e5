; The installer for Windows: for one person, without an administrator.
Target amd64-unicode ; as the programs; wine of a 64-bit Debian runs no other
!include "MUI2.nsh"
Name "Palimpsest ${VERSION}"
OutFile "${OUT}"
InstallDir "$LOCALAPPDATA\Programs\Palimpsest"
RequestExecutionLevel user
!insertmacro MUI_PAGE_LICENSE "${FILES}\LICENSE"
!insertmacro MUI_PAGE_DIRECTORY
!insertmacro MUI_PAGE_INSTFILES
!insertmacro MUI_UNPAGE_CONFIRM
!insertmacro MUI_UNPAGE_INSTFILES
!insertmacro MUI_LANGUAGE "English"
!insertmacro MUI_LANGUAGE "SimpChinese"
!define UNINSTALL "Software\Microsoft\Windows\CurrentVersion\Uninstall\Palimpsest"

Section
  SetOutPath "$INSTDIR"
  File "${FILES}\palimpsest.exe"
  File "${FILES}\palimpsest-window.exe"
  File "${FILES}\LICENSE"
  File "${FILES}\README.md"
  WriteUninstaller "$INSTDIR\uninstall.exe"
  CreateShortcut "$SMPROGRAMS\Palimpsest.lnk" "$INSTDIR\palimpsest-window.exe"
  WriteRegStr HKCU "Software\Classes\Applications\palimpsest-window.exe\shell\open\command" "" '"$INSTDIR\palimpsest-window.exe" "%1"'
  WriteRegStr HKCU "Software\Classes\.jsonl\OpenWithList\palimpsest-window.exe" "" ""
  WriteRegStr HKCU "${UNINSTALL}" "DisplayName" "Palimpsest"
  WriteRegStr HKCU "${UNINSTALL}" "DisplayVersion" "${VERSION}"
  WriteRegStr HKCU "${UNINSTALL}" "UninstallString" '"$INSTDIR\uninstall.exe"'
SectionEnd

Section "Uninstall"
  Delete "$INSTDIR\palimpsest.exe"
  Delete "$INSTDIR\palimpsest-window.exe"
  Delete "$INSTDIR\LICENSE"
  Delete "$INSTDIR\README.md"
  Delete "$INSTDIR\uninstall.exe"
  RMDir "$INSTDIR"
  Delete "$SMPROGRAMS\Palimpsest.lnk"
  DeleteRegKey HKCU "Software\Classes\Applications\palimpsest-window.exe"
  DeleteRegKey HKCU "Software\Classes\.jsonl\OpenWithList\palimpsest-window.exe"
  DeleteRegKey HKCU "${UNINSTALL}"
SectionEnd
